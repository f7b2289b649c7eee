import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CONFIRMED_ADDRESSES_TABLE: () =>
    `the table "framewright_address_codes" does not exist, and a step has a field as "confirmed_email". Run: fw generate fw:install confirmed_addresses, then fw db:migrate`,
});
