/**
 * Placeholders of what differs from one drawing of a piece of markup to the next: it is drawn once with them, and cut there.
 * They are control characters of Latin-1, because one character beyond it would double the size of every string that a page
 * is joined from.
 */
export const HOLES = { url: "/\u0091", label: "\u0092", token: "\u0093", back: "\u0094" } as const;
