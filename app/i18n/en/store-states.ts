/** Those of §8's messages that the pages of a shop say by themselves; their browsers load no other words of errors. */
export const storeStates = {
  productFailed: "Failed to obtain product information",
  productUnset: "Product information is not set yet.",
  noProducts: "No products exist",
  noVariant: "The selected product variation does not exist",
  outOfStock: "Out of Stock",
  notForSale: "Not available for sale",
};
