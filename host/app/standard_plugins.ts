/** The factories of the framework's plugins, by the slot that each fills; the module is named like the folder. */
const standard: Readonly<Record<string, readonly [factory: string, module: string]>> = {
  assets: ["assets", "assets"],
  auth: ["authlib", "authlib"],
  dashboards: ["dashboards", "dashboards"],
  database: ["database", "database"],
  i18n: ["i18n", "i18n"],
  inspector: ["inspector", "inspector"],
  jobs: ["jobs", "jobs"],
  jwt: ["jwtTokens", "jwt"],
  layout: ["layout", "layout"],
  limits: ["limits", "limits"],
  mailer: ["mailer", "mailer"],
  passwordHasher: ["passwords", "passwords"],
  portals: ["portals", "portals"],
  redis: ["redis", "redis"],
  resources: ["resources", "resources"],
  scoping: ["scoping", "scoping"],
  sessions: ["sessions", "sessions"],
  storage: ["storage", "storage"],
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
