import { openSealer, type RequestContext, type Sealer } from "framewright/host";
import type { Replication } from "../drivers/driver.ts";

const COOKIE = "fw_written";
/** Seconds after a write in which its writer's reads wait for it. */
const MAX_AGE_S = 60;
/** A longer position would not fit beside the session's cookie: the primary is read then. */
const MAX_POSITION_CHARS = 1500;
/** Milliseconds since 1970, a space, and a position, or nothing where it is not known. */
const FORM = /^(\d{1,15}) (.*)$/;

/** What a client wrote lately, in a sealed cookie of its own: it is known on every process, and of guests as well. */
export class WrittenPositions {
  readonly #sealer: Sealer;
  readonly #isPosition: Replication["isPosition"];

  constructor(secrets: readonly string[], isPosition: Replication["isPosition"]) {
    this.#sealer = openSealer(secrets, "written position");
    this.#isPosition = isPosition;
  }

  /** Has the client bring the position with its next requests; without one they read the primary. */
  write(request: RequestContext, position = ""): void {
    const kept = position.length > MAX_POSITION_CHARS ? "" : position;
    request.setCookie(COOKIE, this.#sealer.seal(`${Date.now()} ${kept}`), MAX_AGE_S);
  }

  /** What the client's reads have to wait for: undefined for nothing, "" where the primary has to be read. */
  read(request: RequestContext): string | undefined {
    const cookie = request.cookie(COOKIE);
    if (cookie === undefined || cookie.length > 2 * MAX_POSITION_CHARS) return undefined;
    const [, at, position = ""] = FORM.exec(this.#sealer.open(cookie) ?? "") ?? [];
    if (at === undefined || Date.now() - Number(at) > MAX_AGE_S * 1000) return undefined;
    return this.#isPosition(position) ? position : "";
  }
}
