import { defineAuthlib } from "framewright/plugins/authlib";
import AdminAuthlibPlugin from "./admin_authlib_plugin.ts";

export default defineAuthlib([AdminAuthlibPlugin]);
