export const scansOnPage = 10
export const itemsOnPage = 50
