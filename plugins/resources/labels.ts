import { demodulize, humanize, pluralize, underscore } from "framewright";
import type { Registration } from "./registration.ts";

interface Labels {
  one: string;
  many: string;
}
const labels = new WeakMap<Registration, Labels>();

/** What people call the records of a resource: `Post` and `Posts`. */
export function labelsOf(registration: Registration): Labels {
  let found = labels.get(registration);
  if (!found) {
    const name = underscore(demodulize(registration.constant));
    found = { one: humanize(name), many: humanize(pluralize(name)) };
    labels.set(registration, found);
  }
  return found;
}
