/** "in_review" -> "In review". */
export const humanize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll("_", " ");

/** What a choice is called: by its own label, else by its value made readable. */
export const choiceLabel = ({ value, label }: { value: string; label: string }): string =>
  label === value && /^[a-z][a-z0-9_]*$/.test(value) ? humanize(value) : label;
