interface FirstBook {
  readonly id: string
  readonly coverVersion: number
}

/**
 * What stands in the address of a cover of a series, so that browsers may keep it for ever: another one for another cover, be it
 * its own or that of the first book a viewer sees.
 */
export const seriesCoverVersion = (own: number, first: FirstBook | undefined): string =>
  first === undefined ? String(own) : `${own}-${first.coverVersion}-${first.id.slice(-8)}`
