import type { Installation } from "framewright/generators";

/** What `fw generate fw:install personal_data` adds. */
export const installation: Installation = {
  name: "personal_data",
  summary: "Export and erase a person's data, by what models declare",
  plugins: ["personalData"],
  next: [
    'static personal = { columns: { name: "Deleted person" } } in the model of accounts; fw doctor names the others',
  ],
};
