import { errors } from "../errors.ts";

/** The plugin whose `apply` runs right now: what it registers is listed, logged and refused under its name. */
export class Registrant {
  #current: () => string | undefined = () => undefined;

  /** The kernel's answer, handed over when the plugin "host" is applied: before every plugin that requires it. */
  follow(current: () => string | undefined): void {
    this.#current = current;
  }

  /** Its name. @throws FW_REGISTERED_LATE outside of `apply` */
  name(call: string): string {
    const name = this.#current();
    if (name === undefined) throw errors.FW_REGISTERED_LATE(call);
    return name;
  }
}
