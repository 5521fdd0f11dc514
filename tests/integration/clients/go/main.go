// SPDX-License-Identifier: Apache-2.0

// Lists and loads all that a server has, as one JSON object: client SERVER ARGUMENT...
// The official Go client knows nothing of the skills extension yet, so skills are not asked for.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type found struct {
	Tools  []string           `json:"tools"`
	Loaded map[string]string  `json:"loaded"`
	Asked  map[string]string  `json:"asked"`
	Read   map[string]*string `json:"read"`
}

// The text of a skill, as load_skill and as the prompt of its name give it.
func load(ctx context.Context, session *mcp.ClientSession, name string) (loaded, asked string) {
	arguments := map[string]any{"skill_name": name}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "load_skill", Arguments: arguments})
	if err != nil {
		log.Fatalf("load_skill %s: %v", name, err)
	}
	for _, content := range result.Content {
		if text, is := content.(*mcp.TextContent); is {
			loaded += text.Text
		}
	}
	if result.IsError {
		log.Fatalf("load_skill %s: %s", name, loaded)
	}
	prompt, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name})
	if err != nil {
		log.Fatalf("prompts/get %s: %v", name, err)
	}
	for _, message := range prompt.Messages {
		if text, is := message.Content.(*mcp.TextContent); is {
			asked += text.Text
		}
	}
	return loaded, asked
}

// The text of a resource; nothing when it is not text.
func read(ctx context.Context, session *mcp.ClientSession, uri string) *string {
	result, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		log.Fatalf("resources/read %s: %v", uri, err)
	}
	if len(result.Contents) == 0 || result.Contents[0].Blob != nil {
		return nil
	}
	return &result.Contents[0].Text
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "skillhost-test", Version: "1.0.0"}, nil)
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Stderr = os.Stderr
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		log.Fatal(err)
	}
	all := found{Loaded: map[string]string{}, Asked: map[string]string{}, Read: map[string]*string{}}
	for one, err := range session.Tools(ctx, nil) {
		if err != nil {
			log.Fatalf("tools/list: %v", err)
		}
		all.Tools = append(all.Tools, one.Name)
	}
	for one, err := range session.Prompts(ctx, nil) {
		if err != nil {
			log.Fatalf("prompts/list: %v", err)
		}
		all.Loaded[one.Name], all.Asked[one.Name] = load(ctx, session, one.Name)
	}
	for one, err := range session.Resources(ctx, nil) {
		if err != nil {
			log.Fatalf("resources/list: %v", err)
		}
		all.Read[one.URI] = read(ctx, session, one.URI)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
	if err := session.Close(); err != nil {
		log.Fatal(err)
	}
}
