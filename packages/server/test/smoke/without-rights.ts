/** How a program is started that root starts as well as anybody: without rights of root that others never have. */
export const withoutRights = (...rights: readonly string[]) => {
  const without = rights.map((right) => `-${right}`).join(',')
  return process.getuid?.() === 0
    ? { node: 'setpriv', nodeArgs: [`--bounding-set=${without}`, `--inh-caps=${without}`, process.execPath] }
    : {}
}

/** Such a program may not read what its file mode says. */
export const readingAsUsersDo = withoutRights('dac_override', 'dac_read_search')
