import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const module = new URL('./time-zone.ts', import.meta.url).href
const zoneWith = (TZ: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['-e', `import(${JSON.stringify(module)}).then((m) => console.log(JSON.stringify([m.readMachineTimeZone()])))`],
      { env: { ...process.env, TZ }, encoding: 'utf8' },
    ),
  )

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['', null],
  ['Foo/Bar', null],
  ['Europe/Berlin ', null],
  ['UTC+2', null],
])('CFG-6 TZ="%s" is the time zone %s', (variable, zone) => expect(zoneWith(variable)).toEqual([zone]))
