package source

import "bytes"

// SniffLen is how many bytes are looked at: enough for a header, and at hand in any buffer.
const SniffLen = 512

var magics = []struct{ prefix, what string }{
	{"\x1f\x8b", "gzip-compressed data"},
	{"\xfd7zXZ\x00", "xz-compressed data"},
	{"BZh", "bzip2-compressed data"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed data"},
	{"PK\x03\x04", "a zip archive or spreadsheet"},
	{"%PDF-", "a PDF document"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
}

// Sniff names the binary content that head, the first bytes of a source, shows;
// empty for text. Text has no NUL and at most one control byte in 32; it need
// not be UTF-8, since old logs carry Latin-1 names in comments.
func Sniff(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return m.what
		}
	}
	if i := bytes.Index(head, []byte("\x06Result\x01\xff")); i >= 0 && i < 16 {
		return "the binary form of vegeta attack (vegeta encode --to csv turns it into text)"
	}
	control := 0
	for _, c := range head {
		switch {
		case c == 0:
			return "binary data (a zero byte)"
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f', c == 0x7f:
			control++
		}
	}
	if 32*control > len(head) {
		return "binary data (control characters)"
	}
	return ""
}
