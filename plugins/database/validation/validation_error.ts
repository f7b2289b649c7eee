import { FramewrightError } from "framewright/kernel";

/** A text by its key, with the values that fill it. */
export interface Problem {
  /** As in `errors.too_long`; looked up in the application's texts. */
  key: string;
  vars: Record<string, unknown>;
  /** The English sentence, or the model's own. */
  message: string;
}

/** A record that can't be saved as it is: what is wrong, by field. `base` is the record as a whole. */
export class ValidationError extends FramewrightError {
  /** The constant of the record's model. */
  readonly subject: string;
  readonly fields: Record<string, string[]>;
  readonly problems: Record<string, readonly Problem[]>;

  constructor(subject: string, problems: Record<string, readonly Problem[]>, cause?: unknown) {
    super("FW_INVALID", sentence(subject, problems), { status: 422, cause });
    this.name = "ValidationError";
    this.subject = subject;
    this.problems = problems;
    this.fields = Object.fromEntries(
      Object.entries(problems).map(([field, list]) => [field, list.map(({ message }) => message)]),
    );
  }
}

function sentence(subject: string, problems: Record<string, readonly Problem[]>): string {
  const parts = Object.entries(problems).map(
    ([field, list]) => `${field} ${list.map(({ message }) => message).join(", ")}`,
  );
  return `${subject} is not valid: ${parts.join("; ")}. Correct the values and save again.`;
}
