// Adds import conditions: an application's `#…` imports lead to its source, and, in a clone, `framewright` to its own.
import module from "node:module";

const resolveSource = (framework) => `
const conditionsOf = (specifier) => specifier.startsWith("#") ? ["app-source"]
  : ${Boolean(framework)} && (specifier === "framewright" || specifier.startsWith("framewright/")) ? ["framewright-source"] : [];
`;

let added = { framework: false, done: false };

/** Last registered is asked first: call it after tsx is registered. */
export function addConditions({ framework = false } = {}) {
  if (added.done && (added.framework || !framework)) return;
  added = { framework, done: true };
  if (typeof module.registerHooks === "function") {
    const conditionsOf = new Function(`${resolveSource(framework)} return conditionsOf;`)();
    module.registerHooks({ resolve: (specifier, context, next) => next(specifier, widened(context, conditionsOf(specifier))) });
    return;
  }
  const source = `${resolveSource(framework)} ${widened}
export const resolve = (specifier, context, next) => next(specifier, widened(context, conditionsOf(specifier)));`;
  module.register(`data:text/javascript,${encodeURIComponent(source)}`);
}

function widened(context, extra) {
  return extra.length === 0 ? context : { ...context, conditions: [...extra, ...context.conditions] };
}
