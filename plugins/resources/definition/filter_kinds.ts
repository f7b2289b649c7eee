/** What the values of a filtered attribute are. */
export type FilterKind = "choice" | "boolean" | "number" | "date" | "datetime" | "time" | "text";
/** What an attribute is compared with, by operator; `any` and `not` may have several values. */
export type Operations = Readonly<Record<string, string | readonly string[]>>;
