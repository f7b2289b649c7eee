import { withOrigin } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";

/** Runs work whose made-up requests must not be taken for the one that is being answered: they are part of its trace. */
export const apart = <T>({ request }: ResourceController, work: () => T): T =>
  withOrigin({ trace: request.trace }, work);
