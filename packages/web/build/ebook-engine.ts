import type { Plugin } from 'vite'

/** What is written in the engine, and what stands there instead. */
type Patch = readonly [pattern: RegExp, replacement: string]

/**
 * The engine for ebooks (foliate-js) expects a page without a policy. Ours allows neither markup from strings nor style
 * elements, and frames of books run nothing (pins W5): the few lines that would need more are replaced when the app is
 * built. Each must be found exactly once: a new version of the engine is looked at before it is used.
 */
const patches: readonly Patch[] = [
  // WebKit tells nobody outside what happens in a frame without scripts; there the policy and the server's sanitiser hold.
  [
    /this\.#iframe\.setAttribute\('sandbox', 'allow-same-origin allow-scripts'\)/,
    "this.#iframe.setAttribute('sandbox', 'GestureEvent' in globalThis ? 'allow-same-origin allow-scripts' : 'allow-same-origin')",
  ],
  [
    /this\.#root\.innerHTML = `<style>([^`]*?)<\/style>[^`]*?`/,
    `const ownSheet = new CSSStyleSheet()
        ownSheet.replaceSync(\`$1\`)
        this.#root.adoptedStyleSheets = [ownSheet]
        const part = (id, name, ...children) => {
            const div = document.createElement('div')
            div.id = id
            if (name) div.setAttribute('part', name)
            div.append(...children)
            return div
        }
        this.#root.append(part('top', '', part('background', 'filter'), part('header', ''),
            part('container', 'container'), part('footer', '')))`,
  ],
  [/this\.#background\.innerHTML = ''/, 'this.#background.replaceChildren()'],
  [
    /const \$styleBefore = doc\.createElement\('style'\)\s+doc\.head\.prepend\(\$styleBefore\)\s+const \$style = doc\.createElement\('style'\)\s+doc\.head\.append\(\$style\)/,
    `const { CSSStyleSheet: Sheet } = doc.defaultView
                    const $styleBefore = new Sheet()
                    const $style = new Sheet()
                    doc.adoptedStyleSheets = [$styleBefore, $style]`,
  ],
  [/\$beforeStyle\.textContent = beforeStyle/, '$beforeStyle.replaceSync(beforeStyle)'],
  [/\$style\.textContent = style\b(?!s)/, '$style.replaceSync(style)'],
  [/else \$style\.textContent = styles/, "else $style.replaceSync(styles ?? '')"],
  // A key that is pressed twice quickly turns two pages.
  [/if \(shouldGo \|\| !this\.hasAttribute\('animated'\)\) await wait\(100\)/, ''],
  [/const wait = [^\n]*\n/, ''],
]

export const patchEngine = (source: string): string =>
  patches.reduce((text, [pattern, replacement]) => {
    const count = [...text.matchAll(new RegExp(pattern, 'g'))].length
    if (count !== 1)
      throw new Error(`The engine for ebooks has changed: ${String(pattern)} stands in it ${count} times`)
    return text.replace(pattern, replacement)
  }, source)

export const ebookEngine = (): Plugin => ({
  name: 'carrel-ebook-engine',
  transform: (code, id) =>
    /\/foliate-js\/paginator\.js(?:\?|$)/.test(id) ? { code: patchEngine(code), map: null } : undefined,
})
