import { buildProduct } from "./lib/build";

const built = await buildProduct({ quiet: true, force: process.argv.includes("--force") });
console.log(built ? "Built." : "The build is up to date.");
