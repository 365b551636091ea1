import type { Plugin } from 'vite'

const ownModule = /\/packages\/web\/src\/(\w+)\/.*\.module\.css$/

/** Later ones win, whichever sheet comes first: each begins by saying so. */
const order = '@layer mantine, base, layout, ui, parts, pages;'

/**
 * A page's style sheet comes with its code, so that sheets may come in any order. Which of two rules holds is said by
 * layers instead: pages over the parts they are made of, and these over `ui`.
 */
export const layers = (): Plugin => ({
  name: 'carrel-layers',
  enforce: 'pre',
  transform: {
    filter: { id: ownModule },
    handler: (code, id) => ({ code: `${order}\n@layer ${layerOf(ownModule.exec(id)?.[1])} {\n${code}\n}`, map: null }),
  },
})

const layerOf = (folder: string | undefined): string =>
  folder === 'ui' ? 'ui' : folder === 'features' ? 'pages' : 'parts'
