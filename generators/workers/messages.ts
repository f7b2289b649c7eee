/** What a worker sends its supervisor: it serves at this address. */
export interface ReadyMessage {
  fw: "ready";
  url: string;
}
/** What a supervisor sends a worker that has a successor: take no more connections, serve those that are open, and end. */
export const DRAIN = { fw: "drain" } as const;

const kindOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "fw" in message ? message.fw : undefined;

export const isReady = (message: unknown): message is ReadyMessage => kindOf(message) === "ready";
/** A question of the plugin "metrics", whose answer is its own. */
export const isScrape = (message: unknown): boolean => kindOf(message) === "metrics";
/** What the plugin "live" of a worker sends to those of the others. */
export const isForOthers = (message: unknown): message is object => kindOf(message) === "live";
export const isDrain = (message: unknown): boolean => kindOf(message) === DRAIN.fw;
