import { buildProduct } from "./lib/build";

const built = await buildProduct({ force: process.argv.includes("--force") });
console.log(built ? "Built." : "The build is up to date.");
