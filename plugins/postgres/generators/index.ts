import type { Installation } from "framewright/generators";

/** What `fw generate fw:install postgres` adds. */
export const installation: Installation = {
  name: "postgres",
  summary: "PostgreSQL for DATABASE_URL: its packages, a server's and one in the process",
  plugins: ["postgres"],
  packages: { dependencies: ["pg"], devDependencies: ["@electric-sql/pglite"] },
  next: [
    "DATABASE_URL=pglite:storage/development in .env.development, postgres://… in production",
    "npx fw db:migrate",
  ],
};
