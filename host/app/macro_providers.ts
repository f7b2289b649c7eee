/** The built-in plugin that defines each macro: for the hint of an error where it is not in plugins.config.ts. */
export const macroProviders: Readonly<Record<string, string>> = {
  registerResource: "resources",
  scopeToEntity: "scoping",
  wizard: "wizards",
  registerWizard: "wizards",
};
