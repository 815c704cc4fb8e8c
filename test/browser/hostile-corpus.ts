/** Text that is code, an address, a terminal order or a change of direction somewhere else. */
const MARKUP: readonly string[] = [
  '<script>window.executed = 1</script>',
  '<img src=x onerror="window.executed = 1">',
  '<img src="https://foreign.invalid/pixel.png">',
  '<svg onload="window.executed = 1"></svg>',
  '<svg><script href="https://foreign.invalid/s.js" /></svg>',
  '<svg><animate onbegin="window.executed = 1" attributeName=x dur=1s>',
  '<math><mi//xlink:href="javascript:window.executed=1">',
  '<iframe src="https://foreign.invalid/"></iframe>',
  '<iframe srcdoc="<script>parent.executed = 1</script>"></iframe>',
  '<object data="https://foreign.invalid/o"></object><embed src="https://foreign.invalid/e">',
  '<video><source onerror="window.executed = 1"></video><audio src=x onerror="window.executed=1">',
  '<details open ontoggle="window.executed = 1">x</details>',
  '<input autofocus onfocus="window.executed = 1"><select autofocus onfocus="window.executed=1">',
  '<body onload="window.executed = 1"><marquee onstart="window.executed = 1">',
  '<link rel=stylesheet href="https://foreign.invalid/a.css"><link rel=preload as=image href="https://foreign.invalid/l.png">',
  '<style>@import "https://foreign.invalid/b.css"; body { display: none }</style>',
  '<div style="background:url(https://foreign.invalid/bg.png)">x</div>',
  '<a href="javascript:window.executed = 1">here</a><a href="data:text/html,<script>1</script>">d</a>',
  '[here](javascript:window.executed=1) ![p](https://foreign.invalid/p.png)',
  '"><script>window.executed = 1</script>',
  "'-(window.executed = 1)-'",
  '</textarea></title></style></script><script>window.executed = 1</script>',
  '{{constructor.constructor("window.executed = 1")()}} `window.executed`',
  '<base href="https://foreign.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://foreign.invalid/">',
  '<form action="https://foreign.invalid/"><button autofocus onfocus="window.executed = 1">x</button></form>',
  '<!--><img src=x onerror="window.executed = 1">-->',
  '<scr\u0000ipt>window.executed = 1</scr\u0000ipt>',
  '\uff1cscript\uff1ewindow.executed = 1\uff1c/script\uff1e',
  '__proto__ constructor toString',
]

const TERMINAL: readonly string[] = [
  '\u001b]8;;https://foreign.invalid/\u0007link\u001b]8;;\u0007',
  '\u001b[31mred\u001b[0m \u001b[2J\u001b[H',
  '\u001b]52;c;d2luZG93\u0007 \u001b]0;title\u001b\\',
  '\u009b31mred \u009d0;title\u009c',
  '\u001bP1$r0m\u001b\\ \u001b_payload\u001b\\ \u001bc',
  'a\u0008\u0008b\u007f \u0000\u0007 progress 10%\rprogress 100%',
]

const DIRECTION: readonly string[] = [
  '\u202etxt.exe\u202c',
  '\u2066isolated\u2069 \u2067right\u2069 \u2068first\u2069',
  '\u202aembedded\u202b \u202dover\u202c',
  'access\u200blevel \u200ezero\u200f',
]

export const CORPUS: readonly string[] = [...MARKUP, ...TERMINAL, ...DIRECTION]

/** Whole corpora that begin elsewhere each time, so that what is cut differs. */
export function hostileSpeech(): (place: string) => string {
  let turn = 0
  return (place) => {
    turn += 1
    const from = turn % CORPUS.length
    return `${place} ${[...CORPUS.slice(from), ...CORPUS.slice(0, from)].join(' ')}`
  }
}
