import type { Token } from "liquidjs";

/** A construct that the compiler can't handle: liquidjs interprets the template, and `fw views` shows the reason. */
export class Unsupported extends Error {
  constructor(reason: string, token?: Token) {
    super(token ? `${reason} (line ${token.getPosition()[0]})` : reason);
  }
}
