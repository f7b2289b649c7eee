import type { Token } from "liquidjs";

/** The compiler does not know this: the template is left to liquidjs, and the reason is told by `fw views`. */
export class Unsupported extends Error {
  constructor(reason: string, token?: Token) {
    super(token ? `${reason} (line ${token.getPosition()[0]})` : reason);
  }
}
