import type { RecordedRequest } from "./recording/recorded_request.ts";

/** The slot's service. */
export interface Inspector {
  /** The latest request; undefined where nothing is recorded. */
  readonly recorded?: (() => RecordedRequest | undefined) | undefined;
  /** Where the requests are shown, `/_fw`; undefined where nothing is recorded. */
  readonly path: string | undefined;
}

declare module "framewright/kernel" {
  interface Slots {
    inspector: { service: Inspector };
  }
}
