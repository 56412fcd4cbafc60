// Package outfile answers: how does a file come to stand whole under its name,
// or not at all?
//
// What is written goes to a file of another name in the same folder, is handed
// to the disk, and only then renamed. Until then whatever stood under the name
// stays as it was: a full disk, an error and kill -9 change nothing.
//
//	f, err := outfile.Create(path)   // refuses what cannot be replaced
//	defer f.Discard()
//	... write to f ...
//	err = f.Commit()
//
// A symbolic link stays and the file it leads to is replaced; the mode of a
// file that is replaced stays too. Folders, devices, named pipes and sockets are
// refused, and so is the file that is standard output or standard error: it
// would lose its name.
//
// A run that is killed leaves a file .capplan-PID-N.tmp. Its lock ends with the
// run, so that the next run that writes to the folder takes it away, and a file
// of a run that is still going on stays.
//
// A [Growing] file is for work that is worth keeping when its run is killed: it
// stands as PATH.part until it is whole.
package outfile
