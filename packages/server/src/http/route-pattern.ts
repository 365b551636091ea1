/** `/users/{id}` of the contract, as the router spells it. */
export const routePattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
