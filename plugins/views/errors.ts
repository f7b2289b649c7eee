import { errorTable } from "framewright/kernel";

/** Paths in a message at most; the first is that of the application. */
const SHOWN_CANDIDATES = 4;

export const errors = errorTable({
  FW_VIEW_MISSING: (names: readonly string[], candidates: readonly string[]) =>
    `no template ${names.map((name) => `"${name}"`).join(" or ")}. Looked for: ${candidates.slice(0, SHOWN_CANDIDATES).join(", ") || "nothing, as no folder of views was added"}${candidates.length > SHOWN_CANDIDATES ? `, and ${candidates.length - SHOWN_CANDIDATES} more` : ""}. Create the first of these files.`,
  FW_VIEW_NAME: (name: string) =>
    `"${name}" can't be the name of a template. Names come from code and hold only a-z, 0-9, "_" and single "/".`,
  FW_VIEW_FAILED: (position: string, reason: string) =>
    `${position}: ${reason}. Fix the template, or the locals that it is rendered with.`,
  FW_VIEW_PRIVATE: (kind: string, part: string) =>
    `this version of "liquidjs" has no "${part}" of "${kind}", which compiled templates depend on. Install the version in Framewright's package.json, or set views({ compile: false }).`,
  FW_TAG_NAME: (name: string, why: string) =>
    `"${name}" can't be the name of a Liquid tag: it ${why}. Choose another one, as in addTag("money_bar", { render: … }).`,
  FW_TAG_PROMISE: (name: string) =>
    `the tag "${name}" returned a promise, and templates are rendered at once. Load what it shows before the page is rendered, and return text or html\`…\`.`,
  FW_RENDER_SLOT_NAME: (name: string, meant: string, known: readonly string[]) =>
    `templates have no render slot "${name}".${meant} There are: ${known.join(", ")}.`,
  FW_RENDER_SLOT_FAILED: (owner: string, name: string, message: string) =>
    `what "${owner}" renders in the slot "${name}" failed: ${message}. Fix the function that it gives to views.slots.add("${name}", …).`,
  FW_HELPER_UNKNOWN: (name: string, meant: string | undefined) =>
    `there is no path helper "${name}" here.${meant ? ` Did you mean "${meant}"?` : ""} "fw routes" lists them.`,
  FW_ICON_UNKNOWN: (name: string) =>
    `there is no icon "${name}". The names are those of tabler.io/icons, outline, as in "send" or "user-plus".`,
});
