/** The built-in plugin that defines each macro: for the hint of an error where it is not in plugins.config.ts. */
export const macroProviders: Readonly<Record<string, string>> = {
  registerResource: "resources",
  scopeToEntity: "scoping",
  use: "portals",
  wizard: "wizards",
  registerWizard: "wizards",
  registerDashboard: "dashboards",
  repeated: "nested_records",
  fieldGroup: "nested_records",
  virtual: "nested_records",
};

/** The built-in plugin of each mode of authentication, for the same hint. */
export const modeProviders: Readonly<Record<string, string>> = { authlib: "authlib" };
