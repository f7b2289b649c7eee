export const HOUR_MS = 3_600_000;
/** Milliseconds between two mails to one address. */
export const SPACING_MS = 60_000;
