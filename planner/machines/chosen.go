package machines

// A Choice says which model was taken for a record, and why. Package backtest
// names the models. It is for one length of window: that of another may be of another model,
// and a longer window get a greater chance.
type Choice struct {
	Model string `json:"model"`
	// Reason says why no model could be judged; Model is then the one that needs
	// least of a record. Empty where models were judged.
	Reason   string  `json:"reason,omitempty"`
	Train    float64 `json:"train"`    // share of the days, the oldest, that models learned from
	Windows  int     `json:"windows"`  // of the other days, which the models were judged on
	Machines int     `json:"machines"` // that these are of
	// DrawnOf is how many machines there are, where the models were judged on some of them.
	DrawnOf int `json:"drawn_of,omitempty"`
	// Ahead is the log loss of Next, the second best, less that of Model; its
	// standard error is clustered by machine, and null with a single machine.
	Next    string        `json:"next,omitempty"`
	Ahead   *float64      `json:"log_loss_ahead"`
	AheadSE *float64      `json:"log_loss_ahead_se"`
	Scores  []ChoiceScore `json:"scores"` // the best first
}

// A ChoiceScore is one model on the windows held out. Both scores are 0 for a
// model that is certain and right, and greater is worse; the log loss is infinite
// for one that is certain and wrong.
type ChoiceScore struct {
	Model   string  `json:"model"`
	Brier   float64 `json:"brier"`
	LogLoss float64 `json:"log_loss"`
}
