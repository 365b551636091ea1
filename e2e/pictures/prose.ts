import { range } from './scenery.ts'
import type { Work } from './works.ts'

/** Written for the pictures, so that a page of text has something to say. */
const paragraphs = [
  'The last train had gone, and with it the noise of the town. What was left belonged to the river: a slow, dark sentence that nobody had ever read to its end.',
  'She counted the windows of the house across the water, as she had done every evening since the letter came. There were eleven. Tonight there were twelve.',
  '“You will want to sit down,” the old man said, and moved a pile of maps from the only chair. “It is a long way from where we are to where it begins.”',
  'Nobody in the village remembered who had built the tower, or why its door faced the sea and not the road. They only knew that it was never locked, and that nobody went in.',
  'I have kept this account as plainly as I could. Where I was afraid I have said so; where I was brave I have asked the others, and written down what they saw.',
  'Snow came early that year. It lay on the roofs and on the boats and on the names of the streets, until one had to know the way by heart or ask a stranger.',
  'There was a clock in the hall that ran backwards by a minute a day. In the spring it would be right again, and they would all be a little younger than they had been.',
] as const

const numerals = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'] as const
const headings = [
  'The Letter',
  'A House by the River',
  'What the Lamp Showed',
  'The Ferryman’s Price',
  'Names on the Wall',
  'Low Water',
  'The Twelfth Window',
  'Snow',
  'A Door to the Sea',
  'What Was Kept',
  'The Long Way Round',
  'Morning',
] as const

export const chaptersOf = ({ hue }: Work) =>
  headings.map((heading, chapter) => ({
    title: `${numerals[chapter]}. ${heading}`,
    body: `<h1>${numerals[chapter]}</h1><h2>${heading}</h2>${range(16)
      .map((index) => `<p>${paragraphs[(index * 3 + chapter + hue) % paragraphs.length]}</p>`)
      .join('')}`,
  }))
