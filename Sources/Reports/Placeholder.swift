// The first line of Reports.
