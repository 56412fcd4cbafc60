package units

import "time"

const timeOfDayWant = "a time of day 00:00 to 23:59"

// ParseTimeOfDay reads a time such as 09:30, or 09:30:15, as the time since
// midnight.
func ParseTimeOfDay(text string) (Duration, error) {
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return Duration(t.Hour()*3600 + t.Minute()*60 + t.Second()), nil
		}
	}
	return 0, &ParseError{Input: text, Want: timeOfDayWant, Reason: "no time of the clock"}
}
