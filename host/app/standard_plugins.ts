/** The factories of the framework's plugins, by the slot that each fills; the module is named like the folder. */
const standard: Readonly<Record<string, readonly [factory: string, module: string]>> = {
  assets: ["assets", "assets"],
  auth: ["authlib", "authlib"],
  background_runs: ["backgroundRuns", "background_runs"],
  dashboards: ["dashboards", "dashboards"],
  database: ["database", "database"],
  density: ["density", "density"],
  exports: ["exports", "exports"],
  i18n: ["i18n", "i18n"],
  imports: ["imports", "imports"],
  inline_editing: ["inlineEditing", "inline_editing"],
  inspector: ["inspector", "inspector"],
  jobs: ["jobs", "jobs"],
  jwt: ["jwtTokens", "jwt"],
  layout: ["layout", "layout"],
  limits: ["limits", "limits"],
  mailer: ["mailer", "mailer"],
  notifications: ["notifications", "notifications"],
  passwordHasher: ["passwords", "passwords"],
  portals: ["portals", "portals"],
  redis: ["redis", "redis"],
  reorder: ["reorder", "reorder"],
  resources: ["resources", "resources"],
  saved_views: ["savedViews", "saved_views"],
  scoping: ["scoping", "scoping"],
  search: ["search", "search"],
  sessions: ["sessions", "sessions"],
  shortcuts: ["shortcuts", "shortcuts"],
  storage: ["storage", "storage"],
  summaries: ["summaries", "summaries"],
  undo: ["undo", "undo"],
  views: ["views", "views"],
  wizardStore: ["wizards", "wizards"],
  wizards: ["wizards", "wizards"],
};

/** What an error suggests for an empty slot: `passwords() of "framewright/plugins/passwords"`. */
export const factories: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(standard).map(([slot, [factory, module]]) => [
    slot,
    `${factory}() of "framewright/plugins/${module}"`,
  ]),
);
