/** All pictures on one page, a page of the app in a row, a look in a column. */
export const indexOf = (pages: readonly string[], schemes: readonly string[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pictures of Carrel</title>
<style>body{margin:24px;font:15px system-ui;background:#222;color:#eee}section{display:flex;gap:16px;align-items:start;margin-bottom:32px;overflow-x:auto}img{height:420px;border-radius:6px}h2{font-size:18px}</style>
<h1>Pictures of Carrel</h1>
${pages
  .map(
    (page) =>
      `<h2>${page}</h2><section>${schemes.map((scheme) => `<a href="${page}-${scheme}.jpg"><img loading="lazy" src="${page}-${scheme}.jpg" alt="${page}, ${scheme}"></a>`).join('')}</section>`,
  )
  .join('\n')}
</html>
`
