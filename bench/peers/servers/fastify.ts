import Fastify from "fastify";
import { type ZodTypeProvider, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { Input, Output, Transactions, sample, transactions } from "../../foundation/contract.ts";

const app = Fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

app.get("/api/bench/transactions", { schema: { response: { 200: Transactions } } }, () => transactions);

app.get("/api/bench/:id", { schema: { params: Input, response: { 200: Output } } }, ({ params }) => ({
  ...sample,
  id: params.id,
}));

process.send?.({ baseUrl: await app.listen({ port: 0, host: "127.0.0.1" }) });
process.on("SIGTERM", () => process.exit(0));
