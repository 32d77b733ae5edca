declare module "subset-font" {
  export interface Options {
    targetFormat?: "woff2";
    noHinting?: boolean;
    keepFeatures?: string[];
  }
  export default function subset(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}
