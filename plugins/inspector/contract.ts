/** The slot's service. */
export interface Inspector {
  /** Where the requests are shown, `/_fw`; undefined where nothing is recorded. */
  readonly path: string | undefined;
}

declare module "framewright/kernel" {
  interface Slots {
    inspector: { service: Inspector };
  }
}
