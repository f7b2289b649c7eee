import { didYouMean, suggest } from "framewright/kernel";
import { factories } from "./standard_plugins.ts";

/** The framework's plugins that define macros, modes of authentication and types of fields, by the slots that they fill. */
const slots = {
  macros: {
    registerResource: "resources",
    scopeToEntity: "scoping",
    use: "portals",
    wizard: "wizards",
    registerWizard: "wizards",
    registerDashboard: "dashboards",
    ...{ repeated: "nested_records", fieldGroup: "nested_records", virtual: "nested_records" },
    ...{ file: "attachments", files: "attachments", image: "attachments" },
    presence: "presence",
    printPage: "printing",
    navigation: "navigation",
    ...{
      board: "boards",
      cards: "cards",
      calendar: "calendar",
      article: "articles",
      grouping: "grouping",
      tree: "tree",
      live: "live",
    },
  },
  modes: { authlib: "auth" },
  types: {
    ...{ percentage: "extra_fields", duration: "extra_fields", rating: "extra_fields", country: "extra_fields" },
    ...{ language: "extra_fields", tags: "extra_fields", phone: "extra_fields", currency: "extra_fields" },
    ...{ range: "extra_fields", checkboxes: "extra_fields", period: "extra_fields", address: "extra_fields" },
    amount: "extra_fields",
    ...{ rows: "nested_records", key_value: "nested_records" },
  },
} as const;

type Lines = Readonly<Record<string, string>>;
const linesOf = (named: Lines): Lines =>
  Object.fromEntries(Object.entries(named).map(([name, slot]) => [name, factories[slot]!]));

const types = linesOf(slots.types);

/** What errors name of the framework's plugins: their lines, as `wizards() of "framewright/plugins/wizards"`. */
export const providers = {
  macros: linesOf(slots.macros),
  modes: linesOf(slots.modes),
  /**
   * What an error adds of a type of fields that is unknown, or has no input: the line of the plugin that would add it, else the
   * nearest name. `isThere`: the type is known, and nothing but a definition can ask for it.
   */
  typeHint(as: string, known: Iterable<string>, isThere = false): string {
    if (isThere) return ' Definitions alone have it: ask for rows by as: "repeated" and their fields.';
    return types[as] === undefined ? didYouMean(suggest(as, known)) : ` Add ${types[as]} to plugins.config.ts.`;
  },
} as const;
