// The resolve hook of conditions.js, as the module that Node 20 loads into its hooks thread.
let from = { framework: false, application: true };

export function initialize(options) {
  from = options;
}

export function resolve(specifier, context, next) {
  const condition = conditionOf(specifier);
  return next(specifier, condition ? { ...context, conditions: [condition, ...context.conditions] } : context);
}

function conditionOf(specifier) {
  if (specifier.startsWith("#")) return from.application ? "app-source" : undefined;
  const isFramework = specifier === "framewright" || specifier.startsWith("framewright/");
  return from.framework && isFramework ? "framewright-source" : undefined;
}
