import { demodulize, humanize, pluralize, underscore } from "framewright/host";
import type { Registration, ResourceRoute } from "../registration/registration.ts";

interface Labels {
  one: string;
  many: string;
}
const labels = new WeakMap<Registration, Labels>();

/** What people call a list: below a parent as its association is called, for several may lead to one class. */
export const listLabel = ({ registration, parent }: ResourceRoute): string =>
  parent ? humanize(parent.association.name) : labelsOf(registration).many;

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
