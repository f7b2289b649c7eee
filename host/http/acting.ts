import type { Reply } from "./reply.ts";

/** A request of a browser in which an account acts for another person, as by `impersonation()`. */
export interface Acting {
  /** The account that acts, and its name in logs: "admin 3". */
  readonly actor: object;
  readonly actorName: string;
  /** The account acted for, and its name in logs: "user 5". */
  readonly person: object;
  readonly personName: string;
  /** The account type of the person: as others, the browser's own accounts count. */
  readonly accountType: string;
  /** Ends it, and returns to where it began. */
  leave(): Promise<Reply>;
}

/** Both names, for a line of the log. */
export const namesOf = (acting: Acting | undefined): { actor: string; acting_for: string } | undefined =>
  acting && { actor: acting.actorName, acting_for: acting.personName };
