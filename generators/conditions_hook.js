// The resolve hook of conditions.js, in the form in which Node 20 loads one into its hooks thread.
let framework = false;

export function initialize(options) {
  framework = options.framework;
}

export function resolve(specifier, context, next) {
  const condition = conditionOf(specifier, framework);
  return next(specifier, condition ? { ...context, conditions: [condition, ...context.conditions] } : context);
}

export function conditionOf(specifier, fromSource) {
  if (specifier.startsWith("#")) return "app-source";
  const isFramework = specifier === "framewright" || specifier.startsWith("framewright/");
  return fromSource && isFramework ? "framewright-source" : undefined;
}
