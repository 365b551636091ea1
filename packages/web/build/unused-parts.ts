import type { Plugin } from 'vite'

/** What comes along with a part of Mantine as a property of it, `Button.Group`, and is used nowhere in the app. */
const unused = /@mantine\/core\/.*\/((?:Button|ActionIcon)Group(?:Section)?)\.mjs$/

/** Every start would load them. */
export const unusedParts = (): Plugin => ({
  name: 'carrel-unused-parts',
  load: {
    filter: { id: unused },
    handler: (id) => `export const ${unused.exec(id)?.[1] ?? ''} = undefined`,
  },
})
