/** `/users/{id}` of the contract, as the router spells it. A `path` at the end goes on to the end of the address. */
export const routePattern = (path: string): string => path.replace(/\{path\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')
