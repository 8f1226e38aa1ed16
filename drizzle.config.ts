import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./functions/data/schema/index.ts",
  out: "./migrations",
});
